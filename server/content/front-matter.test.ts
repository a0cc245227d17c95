import { expect, test } from 'vitest'
import { readFrontMatter } from './front-matter.ts'

test('reads text, quoted text and lists', () => {
  const { fields, body, firstLine, unread } = readFrontMatter(
    '\uFEFF---\r\ntitle: "Why: \\"every\\" reason"\r\norder: 6\r\nkeywords: [a b, "c, d", \'e\', ]\r\nbroken\r\n---\r\nText\r\n',
  )
  expect(Object.fromEntries(fields)).toEqual({
    title: 'Why: "every" reason',
    order: '6',
    keywords: ['a b', 'c, d', 'e'],
  })
  expect({ body, firstLine, unread }).toEqual({ body: 'Text\n', firstLine: 7, unread: [5] })
})

test.each(['', 'Text', '---\ntitle: never ends', '--- \nno'])(
  'a text without front matter is all body: %j',
  (source) => {
    expect(readFrontMatter(source)).toMatchObject({ body: source, firstLine: 1 })
  },
)
