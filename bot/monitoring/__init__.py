"""What hosts see of a running Riposte: figures for Prometheus, and whether it is well."""
