export function PushPart() {
  return null
}
