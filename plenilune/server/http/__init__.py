"""HTTP and websockets: routes, identity, limits, the API document and the metrics."""
