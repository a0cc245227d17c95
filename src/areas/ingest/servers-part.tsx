export function ServersPart() {
  return null
}
