// Banner of the first start, with the address and the owner's link.
import { styleText } from 'node:util'

/**
 * Where the service is, and what is to be done first; each address on a line of its own, to be clicked or copied.
 * @param ownerLink where the first account is made; null when there is one
 */
export function welcome(url: string, ownerLink: string | null): string {
  const bold = (text: string) => styleText('bold', text, { stream: process.stdout })
  const place = `Relaydeck is at ${bold(url)}`
  if (ownerLink === null) return `${place}\n`
  return `\n${place}\n\nThis service has no account yet. Open this link within 24 hours to create the owner’s account. It works once:\n\n  ${bold(ownerLink)}\n\n`
}
