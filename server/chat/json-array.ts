// Incremental reader of a JSON array: returns complete elements of text that arrives in pieces, cut anywhere.

/** The text is no array, or an element exceeds the limit. */
export class JsonArrayError extends Error {}

const elementMax = 1_000_000

/**
 * Creates a reader of one array.
 * @param malformed counts elements that are no JSON; they are dropped
 * @returns a function that takes the next piece and returns the elements that it completes
 * @throws JsonArrayError
 */
export function jsonArrayReader(malformed: () => void, max = elementMax): (piece: string) => unknown[] {
  let [depth, isText, isEscaped, element, isOver] = [0, false, false, '', false]

  const take = (into: unknown[]) => {
    const text = element.trim()
    element = ''
    if (text === '') return
    try {
      into.push(JSON.parse(text))
    } catch {
      malformed()
    }
  }

  const passText = (character: string | undefined) => {
    if (isEscaped) isEscaped = false
    else if (character === '\\') isEscaped = true
    else if (character === '"') isText = false
  }
  /** Enters the array. */
  const enter = (character: string | undefined): boolean => {
    if (character !== '[' && !/\s/.test(character ?? '')) throw new JsonArrayError('The text is no JSON array')
    if (character === '[') depth = 1
    return character === '['
  }

  return (piece) => {
    const found: unknown[] = []
    let from = 0
    for (let at = 0; at < piece.length && !isOver; at++) {
      const character = piece[at]
      if (isText) {
        passText(character)
        continue
      }
      if (depth === 0) {
        if (enter(character)) from = at + 1
      } else if (character === '"') isText = true
      else if (character === '{' || character === '[') depth++
      else if (character === '}' || character === ']') {
        depth--
        if (depth === 0) {
          element += piece.slice(from, at)
          take(found)
          isOver = true
        }
      } else if (character === ',' && depth === 1) {
        element += piece.slice(from, at)
        from = at + 1
        take(found)
      }
      // An object ends an element without waiting for the comma, which arrives with the next one.
      if (!isOver && depth === 1 && character === '}') {
        element += piece.slice(from, at + 1)
        from = at + 1
        take(found)
      }
    }
    if (!isOver && depth > 0) element += piece.slice(from)
    if (element.length > max) throw new JsonArrayError('An element is too long')
    return found
  }
}
