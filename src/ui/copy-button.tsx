import { type ComponentProps, useEffect, useState } from 'react'
import { IconCheck, IconCopy, IconX } from '@tabler/icons-react'
import { Button, IconButton } from './button.tsx'

type State = 'idle' | 'copied' | 'refused'

/** Labels before and after copying, and when the browser refuses. */
export type CopyWords = Readonly<Record<State, string>>

interface Props {
  readonly text: string
  readonly words: CopyWords
  readonly onCopied?: () => void
}

const icons = { idle: IconCopy, copied: IconCheck, refused: IconX }

/** Copies a text and shows the result. */
export function CopyButton({
  text,
  words,
  onCopied,
  look = 'outline',
}: Props & Pick<ComponentProps<typeof Button>, 'look'>) {
  const [state, copy] = useCopy(text, onCopied)
  const Icon = icons[state]
  return (
    <Button look={look} onClick={copy}>
      <Icon size={17} aria-hidden />
      <span aria-live="polite">{words[state]}</span>
    </Button>
  )
}

/** The same with an icon only, beside the copied value. */
export function CopyIcon({ text, words }: Props) {
  const [state, copy] = useCopy(text)
  const Icon = icons[state]
  return (
    <>
      <IconButton label={words[state]} onClick={copy}>
        <Icon size={18} aria-hidden />
      </IconButton>
      <output className="visually-hidden">{state === 'idle' ? '' : words[state]}</output>
    </>
  )
}

function useCopy(text: string, onCopied?: () => void): [State, () => void] {
  const [state, setState] = useState<State>('idle')
  useEffect(() => {
    if (state === 'idle') return undefined
    const timer = setTimeout(() => setState('idle'), 2500)
    return () => clearTimeout(timer)
  }, [state])
  const copy = () =>
    void copyText(text).then(
      () => {
        setState('copied')
        onCopied?.()
      },
      () => setState('refused'),
    )
  return [state, copy]
}

/**
 * Copies a text. Without a secure origin, as in a home network, there is no clipboard API: only a selection can be
 * copied.
 * @throws Error when the browser refuses
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const before = document.activeElement
  const field = Object.assign(document.createElement('textarea'), { value: text, className: 'visually-hidden' })
  // An open dialog makes everything outside it inert.
  const place = before?.closest('dialog') ?? document.body
  place.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  if (!isCopied) throw new Error('The browser does not copy')
}
