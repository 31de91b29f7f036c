//! What other programs talk to over standard input: JSON-RPC and MCP, two small wires on one loop.
