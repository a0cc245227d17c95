// A paper as PDF.
import { join } from 'node:path'
import { root } from '#server/core/root.ts'
import type { PaperView } from './paper-page.ts'

// DejaVu Sans has Latin and Cyrillic, and no Chinese.
const fonts = join(root, 'node_modules/dejavu-fonts-ttf/ttf')
const margin = 56
const grey = '#666666'

/**
 * Makes the PDF of a paper. pdfkit is loaded on demand: it takes a second and some megabytes of memory.
 * @param view in English or Russian: the font has no Chinese characters, and others of the customer become `?`
 */
export async function paperPdf(view: PaperView): Promise<Buffer> {
  const { default: PdfDocument } = await import('pdfkit')
  const doc = new PdfDocument({
    size: 'A4',
    margin,
    font: join(fonts, 'DejaVuSans.ttf'),
    info: { Title: `${view.title} ${view.number}` },
  })
  doc.registerFont('plain', join(fonts, 'DejaVuSans.ttf')).registerFont('bold', join(fonts, 'DejaVuSans-Bold.ttf'))
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => void chunks.push(chunk))
  const finished = new Promise<void>((resolve, reject) => {
    doc.once('end', resolve)
    doc.once('error', reject)
  })
  const width = doc.page.width - 2 * margin
  const shown = (text: string) => drawable(doc, text)

  doc.font('bold').fontSize(22).text(view.title, { width })
  doc.font('plain').fontSize(11).text(view.number, { width }).moveDown(1.5)
  for (const [label, value] of view.facts) pair(label, value)
  for (const { label, lines } of view.parties) {
    doc.moveDown(1).fillColor(grey).text(label, margin, doc.y, { width }).fillColor('black')
    for (const line of lines) doc.text(shown(line), { width })
  }
  doc.moveDown(2)
  row(view.head, grey)
  for (const item of view.items) row(item)
  doc.font('bold')
  row(view.total)
  doc.font('plain')
  if (view.net) row(view.net, grey)
  if (view.tax) row(view.tax, grey)
  for (const note of view.notes) doc.moveDown(1).text(note, margin, doc.y, { width })
  doc.end()
  await finished
  return Buffer.concat(chunks)

  function pair(label: string, value: string): void {
    const y = doc.y
    doc.fillColor(grey).text(label, margin, y, { width: 150 }).fillColor('black')
    doc.text(shown(value), margin + 160, y, { width: width - 160 })
  }

  function row([text, amount]: readonly [string, string], color = 'black'): void {
    const y = doc.y + 6
    doc.fillColor(color).text(amount, margin + width - 150, y, { width: 150, align: 'right' })
    const below = doc.y
    doc.text(shown(text), margin, y, { width: width - 170 }).fillColor('black')
    doc.y = Math.max(doc.y, below) + 6
    doc
      .moveTo(margin, doc.y)
      .lineTo(margin + width, doc.y)
      .strokeColor('#cccccc')
      .lineWidth(0.5)
      .stroke()
  }
}

/** Text with `?` in place of each character that the font cannot draw. */
function drawable(doc: PDFKit.PDFDocument, text: string): string {
  const { font } = (doc as unknown as { _font: { font: { hasGlyphForCodePoint(code: number): boolean } } })._font
  return text.replaceAll(/\P{ASCII}/gu, (sign) => (font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0) ? sign : '?'))
}
