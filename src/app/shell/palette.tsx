import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureText } from '#src/components/failure.tsx'
import { isEnter } from '#src/lib/keys.ts'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import styles from './palette.module.css'
import type { Command } from './command.ts'
import { useCommands } from './use-commands.ts'

/** Time the result of an action stays visible before the palette closes. */
const resultMs = 2_000

/** Command palette: every page and the common actions, filtered by typing. The input keeps focus, arrows move the choice. */
export default function Palette({ projectId, onClose }: { projectId: number | string; onClose: () => void }) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const id = useId()
  const failure = useFailureText('channels')
  const [asking, setAsking] = useState<Command>()
  const doing = useMutation({ mutationFn: async ({ act }: Command) => act?.() })
  const shown = matching(useCommands(projectId), text)

  const run = (command: Command | undefined) => {
    if (!command || doing.isPending || doing.isSuccess) return
    if (command.ask && command !== asking) return setAsking(command)
    if (command.act) return doing.mutate(command)
    onClose()
    command.run?.()
  }
  const { isSuccess } = doing
  useEffect(() => {
    if (!isSuccess) return undefined
    const timer = setTimeout(onClose, resultMs)
    return () => clearTimeout(timer)
  }, [isSuccess, onClose])

  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && shown.length > 0) {
      event.preventDefault()
      const next = (chosen + step + shown.length) % shown.length
      setChosen(next)
      document.querySelector(`[id="${id}-${next}"]`)?.scrollIntoView({ block: 'nearest' })
    }
    if (!isEnter(event)) return
    // Otherwise the same key press would activate the first button of the confirmation.
    event.preventDefault()
    run(shown[chosen])
  }

  if (asking?.ask && !isSuccess) {
    const { title, text: what, keep } = asking.ask
    return (
      <ConfirmDialog
        title={title}
        confirm={asking.label}
        keep={keep}
        isDanger
        isBusy={doing.isPending}
        problem={doing.error && failure(doing.error)}
        onConfirm={() => run(asking)}
        onClose={onClose}
      >
        <p>{what}</p>
      </ConfirmDialog>
    )
  }

  return (
    <Dialog title={t('palette.open')} isTitleHidden onClose={onClose}>
      <input
        type="text"
        className={styles.input}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setChosen(0)
          if (doing.isError) doing.reset()
        }}
        onKeyDown={handleKey}
        placeholder={t('palette.placeholder')}
        aria-label={t('palette.placeholder')}
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={shown.length > 0 ? `${id}-${chosen}` : undefined}
      />
      <output className={styles.told}>
        {doing.isSuccess && t('channels:act.done', { what: doing.variables.label })}
      </output>
      {doing.error && (
        <p className={styles.told} role="alert" data-problem>
          {failure(doing.error)}
        </p>
      )}
      <ul className={styles.list} id={`${id}-list`} role="listbox" aria-label={t('palette.open')}>
        {shown.map((command, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the combobox handles the keys
          <li
            key={command.id ?? command.group + command.label}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            className={styles.row}
            aria-busy={doing.isPending && doing.variables.label === command.label}
            onClick={() => run(command)}
            onMouseMove={() => setChosen(index)}
          >
            <span>{command.label}</span>
            <span className={styles.group}>{command.group}</span>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className={styles.none}>{t('palette.none')}</p>}
    </Dialog>
  )
}

/** Returns the commands that contain every word of the text: by label and group first, then those found by other words. */
function matching(commands: readonly Command[], text: string): readonly Command[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean)
  const isIn = (content: string) => wanted.every((word) => content.toLowerCase().includes(word))
  const named = commands.filter(({ label, group }) => isIn(`${label} ${group}`))
  const others = commands.filter((one) => !named.includes(one) && isIn(`${one.label} ${one.group} ${one.words ?? ''}`))
  return [...named, ...others]
}
