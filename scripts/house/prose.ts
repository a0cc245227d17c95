// Prose check: finds words that hide the subject or replace a term of the field, in comments, documents, test titles and
// English texts. CONTRIBUTING.md has the rules for prose.

/** One place in a file that breaks a rule for prose. */
export interface Finding {
  /** 1-based. */
  readonly line: number
  /** The text that matched. */
  readonly found: string
}

/** Pronouns and phrases for which the field has a term: caller, user, viewer, response, message, immediately. */
const vague = [
  'who',
  'whom',
  'whoever',
  'whatever',
  'somebody',
  'someone',
  'nobody',
  'anybody',
  'what comes',
  'what is there',
  'the one that',
  'is said',
  'are said',
  'told',
  'hears?',
  'heard',
  'asks',
  'asked',
  'go on',
  'goes on',
  'went on',
  'going on',
  'is away',
  'at once',
]

/** Fewer words for interface texts, because questions to the reader are natural there. */
const vagueInTexts = ['whoever', 'whatever', 'somebody', 'nobody', 'what comes', 'the one that', 'is said', 'is away']

const pattern = (phrases: readonly string[]): RegExp => new RegExp(String.raw`\b(?:${phrases.join('|')})\b`, 'gi')

const inProse = pattern(vague)
const inTexts = pattern(vagueInTexts)
/** A comment that begins with a question word describes around the thing instead of naming it. */
const opening = /^(?:What|Who|How|Whether)\b/g

/** `prose-ok: reason` in the same line keeps a justified use. */
const suppression = /prose-ok: \S+/

const comments = /(?<![:'"`\w])\/\/(?<line>.*)|\/\*(?<block>[\s\S]*?)\*\//g
const titles = /\b(?:test|describe|it)(?:\.\w+)*\(\s*(?<quote>['"`])(?<title>.*?)\k<quote>/g
const codeSpan = /`[^`\n]*`/g
/** Articles quote interface texts in bold; those follow the rules for texts. */
const quotedText = /\*\*[^*\n]+\*\*/g

/** A piece of prose, and the offset in its file at which it begins. */
interface Piece {
  readonly text: string
  readonly at: number
}

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ')

function piecesOfCode(source: string): Piece[] {
  const found = [...source.matchAll(comments), ...source.matchAll(titles)]
  return found.map((match) => {
    const text = match.groups?.['line'] ?? match.groups?.['block'] ?? match.groups?.['title'] ?? ''
    return { text, at: match.index + match[0].indexOf(text) }
  })
}

/** Code fences and code spans of Markdown, and keys of JSON, are no prose. */
function withoutCode(source: string): string {
  return source.replaceAll(/```[\s\S]*?```/g, blank).replaceAll(/"[\w.-]+":/g, blank)
}

/**
 * Finds unwanted words in a file.
 * @param file its path, which decides what in it is prose
 * @param source its content
 */
export function findProse(file: string, source: string): Finding[] {
  const isCode = /\.(?:tsx?|mjs|css)$/.test(file)
  const unquoted = file.startsWith('handbook/') ? source.replaceAll(quotedText, blank) : source
  const pieces = isCode ? piecesOfCode(source) : [{ text: withoutCode(unquoted), at: 0 }]
  const lines = source.split('\n')
  const lineAt = (offset: number): number => source.slice(0, offset).split('\n').length
  return pieces
    .flatMap(({ text, at }) => {
      const prose = text.replaceAll(codeSpan, blank)
      const words = [...prose.matchAll(file.endsWith('.json') ? inTexts : inProse)]
      const first = prose.search(/[A-Za-z]/)
      const opens = isCode && first >= 0 ? [...prose.slice(first).matchAll(opening)] : []
      return [
        ...words.map((match) => ({ line: lineAt(at + match.index), found: match[0] })),
        ...opens.map((match) => ({ line: lineAt(at + first), found: `begins with “${match[0]}”` })),
      ]
    })
    .filter(({ line }) => !suppression.test(lines[line - 1] ?? ''))
}
