// Commands of the terminal, for a call without a known one. Imports nothing: `relaydeck` prints it without the service.

/** Names and words of the commands of the service. */
export const usage =
  'There are: invite, owner-link, recover <e-mail> [factors], operator <e-mail>, catalogue export <file>, catalogue import <file>, ledger check, backup [--recordings], restore [--check] <file>, drill, certificate <name>… --accept-terms [--email <e-mail>], certificate renew, backup-made, accept-secret'
