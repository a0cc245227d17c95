// Folding of texts for search, equal in the service and on pages.
const beyondAscii = /[^\0-\x7F]/gu

/**
 * Folds a text for search in any case: compatibility forms, such as full-width letters, become plain ones. A form that is shorter than its
 * plain one stays: U+FDFA has 18 characters, and texts of it would be searched 18 times as long.
 */
export const foldText = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(beyondAscii, (char) => {
      const plain = char.normalize('NFKC')
      return plain.length > char.length ? char : plain
    })
    .normalize('NFC')
    .toLowerCase()
