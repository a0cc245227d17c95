import fc from 'fast-check'
import { expect, test } from 'vitest'
import { htmlOf } from './html.ts'
import { createResolver } from './library.ts'
import { markdownTree } from './markdown.ts'
import { passagesOf } from './plain.ts'

const image = { name: 'abc.png', absolute: '/x.png', type: 'image/png', width: 3, height: 2 } as const
const texts = new Map([['help/en/start/obs.md', '/help/start/obs']])
const resolver = createResolver(
  'help/en/start/first.md',
  (path) => texts.get(path) ?? null,
  new Map([['help/en/images/home.png', image]]),
)

function convert(markdown: string) {
  const problems: string[] = []
  const blocks = markdownTree(markdown, resolver, (line, text) => void problems.push(`${line} ${text}`))
  return { blocks, problems, html: htmlOf(blocks, 'https://live.example') }
}

const textsOfLinks = (markdown: string) =>
  [...convert(markdown).html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)

test('converts headings, lists, tables, code, notes, links and images', () => {
  const { html, problems } = convert(
    [
      '# The key {#key}',
      '## Ключ *потока*',
      '- `timeout` **No reply.**',
      '- plain',
      '',
      '3. third',
      '',
      '> [!WARNING]',
      '> Keep it `secret`.',
      '',
      '| a | b |',
      '| - | - |',
      '| 1 | 2 |',
      '',
      '```sh',
      'a < b',
      '```',
      '',
      '![Home](../images/home.png) [OBS](obs.md#key) [mail](mailto:a@b.example)  ',
      'next',
      '',
      '---',
    ].join('\n'),
  )
  expect(problems).toEqual([])
  expect(html).toMatchInlineSnapshot(`
    "<h2 id="key">The key</h2>
    <h2 id="ключ-потока">Ключ <em>потока</em></h2>
    <ul>
    <li id="timeout"><p><code>timeout</code> <strong>No reply.</strong></p></li>
    <li><p>plain</p></li>
    </ul>
    <ol start="3">
    <li><p>third</p></li>
    </ol>
    <blockquote>
    <p>Keep it <code>secret</code>.</p>
    </blockquote>
    <table>
    <thead><tr><th>a</th><th>b</th></tr></thead>
    <tbody>
    <tr><td>1</td><td>2</td></tr>
    </tbody>
    </table>
    <pre><code>a &lt; b</code></pre>
    <p><img src="https://live.example/content/abc.png" alt="Home" width="3" height="2"> <a href="https://live.example/help/start/obs#key">OBS</a> <a href="mailto:a@b.example">mail</a><br>next</p>
    <hr>"
  `)
})

test('gives repeated headings and codes unique anchors', () => {
  const { html } = convert('## Key\n\n## Key\n\n- `a` one\n- `a` two\n\n## ???')
  expect([...html.matchAll(/id="([^"]+)"/g)].map(([, id]) => id)).toEqual(['key', 'key-2', 'a', 'section'])
})

test('numbers repeated headings around an id of the author', () => {
  const { html } = convert('## Key\n\n## Other {#key-2}\n\n## Key\n\n## Key\n\n## Key-2')
  expect([...html.matchAll(/id="([^"]+)"/g)].map(([, id]) => id)).toEqual(['key', 'key-2', 'key-3', 'key-4', 'key-2-2'])
})

// Linear time needs some 30 ms for these texts, quadratic time several seconds.
test.each([
  ['a heading of 100 KB of spaces', `## a${' '.repeat(100_000)}b`],
  ['a heading of 100 KB of spaces before an anchor', `## a${' '.repeat(100_000)}{#b`],
  ['20,000 equal headings', '## a\n\n'.repeat(20_000)],
])('converts %s in two seconds of processor time', (_, markdown) => {
  const from = process.cpuUsage()
  markdownTree(markdown, resolver, () => {})
  const { user } = process.cpuUsage(from)
  expect(user / 1000).toBeLessThan(2000)
})

test('takes an anchor after many spaces off a heading', () => {
  expect(convert(`## The key${' '.repeat(50)}{#key}`).html).toBe('<h2 id="key">The key</h2>')
  expect(convert('## {#key}').html).toBe('<h2 id="key"></h2>')
  expect(convert('## A {#b} c').html).toBe('<h2 id="a-b-c">A {#b} c</h2>')
})

test('scenario 17: shows HTML as text and names the line', () => {
  const { html, problems } = convert('Hi <b onclick="x()">you</b>\n\n<script>alert(1)</script>\n\n<!-- for authors -->')
  expect(html).toBe(
    '<p>Hi &lt;b onclick=&quot;x()&quot;&gt;you&lt;/b&gt;</p>\n<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>',
  )
  expect(problems).toEqual([
    String.raw`1 HTML is shown as text: "<b onclick=\"x()\">"`,
    '1 HTML is shown as text: "</b>"',
    '3 HTML is shown as text: "<script>alert(1)</script>"',
  ])
})

test('names the line of each problem', () => {
  const markdown =
    'One\ntwo <b>\n\n> three\n> ![*a\ndot*](x.svg)\n\n| a |\n| - |\n| [x](x:) |\n\n- four\n\n  five  \n  <i>'
  expect(convert(markdown).html).toContain('<p>three a dot</p>')
  expect(convert(markdown).problems.map((problem) => problem.split(' ', 1)[0])).toEqual(['2', '5', '10', '15'])
})

test('links to http, https, mailto, the dashboard, anchors and other texts', () => {
  expect(
    textsOfLinks(
      '[a](https://x.example) [b](http://x.example/?q=1) [c](/account) [d](#key) [e](../start/obs.md) <https://y.example>',
    ),
  ).toEqual([
    'https://x.example/',
    'http://x.example/?q=1',
    'https://live.example/account',
    '#key',
    'https://live.example/help/start/obs',
    'https://y.example/',
  ])
})

test.each([
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt&#58;alert(1))',
  '[x](<java\tscript:alert(1)>)',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](vbscript:x)',
  '[x](file:///etc/passwd)',
  '[x](//evil.example)',
  String.raw`[x](/\\evil.example)`,
  '[x](../../../../etc/passwd)',
  '[x](unknown.md)',
  '[x][ref]\n\n[ref]: javascript:alert(1)',
  '<javascript:alert(1)>',
])('drops the link of %s and keeps its text', (markdown) => {
  const { html, problems } = convert(markdown)
  expect(textsOfLinks(markdown)).toEqual([])
  expect(html).not.toContain('<a')
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(/^1 /)
})

test.each([
  '![a dot](../../../secret.png)',
  '![a dot](../images/evil.svg)',
  '![a dot](https://x.example/track.png)',
  '![a dot](data:image/png;base64,AAAA)',
  '![a dot](//x.example/a.png)',
  '![a dot](../images/missing.png)',
  '![a dot](..%2f..%2fsecret.png)',
])('leaves out the image %s and keeps its description', (markdown) => {
  const { html, problems } = convert(markdown)
  expect(html).toBe('<p>a dot</p>')
  expect(problems).toHaveLength(1)
})

test('cuts nesting that is too deep', () => {
  const { blocks, problems } = convert(`${'> '.repeat(400)}deep`)
  expect(JSON.stringify(blocks).length).toBeLessThan(2000)
  expect(problems).toEqual(['1 Nested too deeply'])
})

test('no Markdown becomes markup that the tree does not know', () => {
  const hostile = fc.array(
    fc.oneof(
      fc.string(),
      fc.constantFrom(
        '<script>',
        '<img src=x onerror=alert(1)>',
        '](javascript:x)',
        '![',
        '](',
        '`',
        '> ',
        '- ',
        '|',
        '\n',
        '\n\n',
        '&lt;',
        '\\',
        '<!--',
      ),
    ),
    { maxLength: 30 },
  )
  const allowed = /^(?:\/?(?:h[2-4]|p|ul|ol|li|pre|code|table|thead|tbody|tr|th|td|blockquote|strong|em|a)|hr|br|img)$/
  fc.assert(
    fc.property(hostile, (parts) => {
      const { blocks, html } = convert(parts.join(''))
      passagesOf(blocks)
      for (const [, tag = ''] of html.matchAll(/<([^\s>]*)/g)) expect(tag).toMatch(allowed)
      for (const [, href = ''] of html.matchAll(/ href="([^"]*)"/g)) expect(href).toMatch(/^(?:https?:|mailto:|#)/)
      expect(html).not.toMatch(/<[^>]*\son\w+=/)
    }),
    { numRuns: 300 },
  )
})

test('joins lines with a space, in Chinese without one', () => {
  expect(convert('Two\nlines').html).toBe('<p>Two lines</p>')
  expect(convert('打开主页。\n点击 **停止**。\n**直播记录** 会保留').html).toBe(
    '<p>打开主页。点击 <strong>停止</strong>。<strong>直播记录</strong> 会保留</p>',
  )
})
