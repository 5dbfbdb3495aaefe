"""The standby in an object store, against moto's S3."""
