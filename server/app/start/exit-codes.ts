// Exit codes of the service that its supervisor and init systems tell apart.

/** The service cannot start as it is configured (`EX_CONFIG` of sysexits.h). Starting again would fail again. */
export const misconfigured = 78
