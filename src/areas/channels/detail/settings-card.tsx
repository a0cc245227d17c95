// Settings of a channel: one card and one Save. Each part is an operation of its own, and only the changed ones are sent.
import { createContext, type ReactNode, useContext, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Input, WriteOperation } from '#contract/core/operation.ts'
import type { FieldMap } from '#src/components/form/field-texts.ts'
import type { FieldValues, Form } from '#src/components/form/use-form.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { LeaveGuard } from '#src/components/leave-guard.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card, CardPart } from '#src/ui/card.tsx'
import styles from '#src/areas/channels/add/add.module.css'
import { Refusal } from '#src/areas/channels/refusal.tsx'
import pageStyles from './channel.module.css'

/** State of a part. `saved` and `refused`: the last request, until the next edit. */
type PartState = 'unchanged' | 'changed' | 'busy' | 'saved' | 'refused'

interface PartActs {
  readonly submit: () => void
  readonly undo: () => void
}

interface Parts {
  readonly acts: Map<string, PartActs>
  readonly onState: (id: string, state: PartState | null) => void
}

const PartsContext = createContext<Parts | null>(null)

interface SettingsCardProps {
  readonly title: string
  readonly children: ReactNode
}

/** Card with parts and one Save; confirms navigation away from unsaved input. */
export function SettingsCard({ title, children }: SettingsCardProps) {
  const { t } = useTranslation('channels')
  const noteId = useId()
  const [states, setStates] = useState<ReadonlyMap<string, PartState>>(new Map())
  const [parts] = useState<Parts>(() => ({
    acts: new Map(),
    onState: (id, state) =>
      setStates((now) => {
        const next = new Map(now)
        if (state === null) next.delete(id)
        else next.set(id, state)
        return next
      }),
  }))
  const has = (state: PartState) => [...states.values()].includes(state)
  const isBusy = has('busy')
  const isDirty = has('changed') || has('refused') || isBusy
  const ofChanged = (act: keyof PartActs) => {
    // The last call moves the focus: to the first invalid field.
    for (const [id, part] of [...parts.acts].toReversed())
      if (['changed', 'refused'].includes(states.get(id) ?? '')) part[act]()
  }
  const note = has('refused') ? 'notSaved' : isDirty ? 'unsaved' : has('saved') ? 'saved' : 'nothing'
  return (
    <Card title={title}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          ofChanged('submit')
        }}
      >
        <PartsContext value={parts}>{children}</PartsContext>
        <div className={styles.acts}>
          <Button type="submit" isBusy={isBusy} isOff={!isDirty} aria-describedby={noteId}>
            {t('form.save')}
          </Button>
          {isDirty && !isBusy && (
            <Button look="quiet" onClick={() => ofChanged('undo')}>
              {t('form.undo')}
            </Button>
          )}
          <output id={noteId} className={styles.state} data-bad={note === 'notSaved' || undefined}>
            {t(`form.${note}`)}
          </output>
        </div>
      </form>
      <LeaveGuard isDirty={isDirty} />
    </Card>
  )
}

interface PartProps<V extends FieldValues, O extends WriteOperation> extends Pick<FieldMap<V>, 'messages' | 'rules'> {
  readonly projectId: number
  /** Left out: the fields follow those of the part before. */
  readonly title?: string
  readonly note?: ReactNode
  /** Values as the service has them. */
  readonly saved: V
  readonly op: O
  readonly inputOf: (values: V) => Input<O>
  readonly children: (form: Form<V>) => ReactNode
}

/** Part of a `SettingsCard`: fields of one operation. Keeps input until it is saved or discarded. */
export function FormPart<V extends FieldValues, O extends WriteOperation>(props: PartProps<V, O>) {
  const { projectId, title, note, saved, children, ...rest } = props
  const form = useWriteForm<V, O>({ ...rest, area: 'channels', values: saved, mode: 'onChange' })
  const { isDirty, isBusy, write, output, problem, submit, undo } = form
  const isRefused = isDirty && write.error !== null
  useInCard(
    { submit, undo },
    isBusy ? 'busy' : isRefused ? 'refused' : isDirty ? 'changed' : output ? 'saved' : 'unchanged',
  )
  const fields = (
    <>
      {children(form)}
      <div role="alert" className={pageStyles.refused}>
        {problem && <Refusal projectId={projectId} error={problem} isInForm />}
      </div>
    </>
  )
  if (title === undefined) return <div className={styles.form}>{fields}</div>
  return (
    <CardPart title={title} note={note}>
      {fields}
    </CardPart>
  )
}

/** Lets the card submit and discard a part, and tells it the state. */
function useInCard(part: PartActs, state: PartState): void {
  const id = useId()
  const card = useContext(PartsContext)
  useEffect(() => void card?.acts.set(id, part))
  useEffect(() => card?.onState(id, state), [card, id, state])
  useEffect(
    () => () => {
      card?.acts.delete(id)
      card?.onState(id, null)
    },
    [card, id],
  )
}
