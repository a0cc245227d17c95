import { type KeyboardEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isEnter } from '#src/lib/keys.ts'
import { Dialog } from '#src/ui/dialog.tsx'
import styles from './palette.module.css'
import { type Command, useCommands } from './use-commands.ts'

/** Every page and the common acts, found by typing. A combobox: the input keeps the focus, arrows move the choice. */
export default function Palette({ projectId, onClose }: { projectId: number | string; onClose: () => void }) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const id = useId()
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = useCommands(projectId).filter(({ label, group }) =>
    words.every((word) => `${label} ${group}`.toLowerCase().includes(word)),
  )

  const run = (command: Command | undefined) => {
    if (!command) return
    onClose()
    command.run()
  }

  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && shown.length > 0) {
      event.preventDefault()
      const next = (chosen + step + shown.length) % shown.length
      setChosen(next)
      document.querySelector(`[id="${id}-${next}"]`)?.scrollIntoView({ block: 'nearest' })
    }
    if (isEnter(event)) run(shown[chosen])
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
        }}
        onKeyDown={handleKey}
        placeholder={t('palette.placeholder')}
        aria-label={t('palette.placeholder')}
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={shown.length > 0 ? `${id}-${chosen}` : undefined}
      />
      <ul className={styles.list} id={`${id}-list`} role="listbox" aria-label={t('palette.open')}>
        {shown.map((command, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the combobox takes the keys
          <li
            key={command.group + command.label}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            className={styles.row}
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
