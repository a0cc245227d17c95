export function ListPart() {
  return null
}
