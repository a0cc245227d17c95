export function PullPart() {
  return null
}
