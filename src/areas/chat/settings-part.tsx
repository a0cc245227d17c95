import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { settings } from '#contract/areas/chat/settings.ts'
import type { ChatSettings } from '#contract/entities/chat-message.ts'
import { q, useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { announceModes } from '#src/components/message-list/announcements.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { platformNamed } from '#src/components/use-platform.ts'
import { Button } from '#src/ui/button.tsx'
import { Note } from '#src/ui/note.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Switch } from '#src/ui/switch.tsx'
import { TextArea } from '#src/ui/text-area.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './chat.module.css'
import { setPreferences, usePreferences, wordsOf } from './preferences.ts'

/** Filters of the project, and preferences of this browser. */
export default function SettingsPart({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('chat', { keyPrefix: 'settings' })
  const query = useQuery(q(settings.get, { project_id: projectId }))
  return (
    <div className={styles.form}>
      <OwnPart />
      <QueryPart query={query} failed={t('failed')} skeleton={<Skeleton height={300} />}>
        {(data) => <ProjectPart projectId={projectId} data={data} />}
      </QueryPart>
    </div>
  )
}

/** Preferences that apply immediately. */
function OwnPart() {
  const { t } = useTranslation('chat', { keyPrefix: 'settings' })
  const { announce, words } = usePreferences()
  const [text, setText] = useState(() => words.join('\n'))
  return (
    <section className={styles.form} aria-labelledby="chat-own">
      <h2 id="chat-own">{t('own')}</h2>
      <TextArea
        label={t('highlight')}
        hint={t('highlightHint')}
        value={text}
        onChange={(value) => {
          setText(value)
          setPreferences({ words: wordsOf(value) })
        }}
      />
      <SelectField
        label={t('announce')}
        value={announce}
        choices={announceModes.map((value) => ({ value, label: t(`announceModes.${value}`) }))}
        onChange={(mode) => setPreferences({ announce: mode })}
      />
    </section>
  )
}

/** Filters that the service applies for all members and overlays. */
function ProjectPart({ projectId, data }: { readonly projectId: number; readonly data: ChatSettings }) {
  const { t } = useTranslation('chat', { keyPrefix: 'settings' })
  const why = useFailureText()
  const write = useWrite(settings.set)
  const form = useWriteForm({
    op: settings.set,
    values: { words: data.words.join('\n'), hold_back: String(data.hold_back), keep_days: String(data.keep_days) },
    inputOf: ({ words, hold_back, keep_days }) => ({
      project_id: projectId,
      words: wordsOf(words),
      hold_back: Number(hold_back),
      keep_days: Number(keep_days),
    }),
    messages: { hold_back: t('holdBackRange'), words: t('wordsTooLong') },
  })
  const set = (change: { readonly hide_bots?: boolean; readonly hide_commands?: boolean }) =>
    write.mutate({ project_id: projectId, ...change })
  return (
    <section className={styles.form} aria-labelledby="chat-project">
      <h2 id="chat-project">{t('project')}</h2>
      <p className={styles.quiet}>{t('projectText')}</p>
      <Switch label={t('hideBots')} isOn={data.hide_bots} onChange={(isOn) => set({ hide_bots: isOn })} />
      <Switch label={t('hideCommands')} isOn={data.hide_commands} onChange={(isOn) => set({ hide_commands: isOn })} />
      <Note tone="live">{write.error && why(write.error)}</Note>
      <form noValidate className={styles.form} onSubmit={form.submit}>
        <TextArea label={t('words')} hint={t('wordsHint')} {...form.field('words')} />
        <TextField label={t('holdBack')} hint={t('holdBackHint')} inputMode="numeric" {...form.field('hold_back')} />
        <TextField label={t('keepDays')} inputMode="numeric" {...form.field('keep_days')} />
        <Button type="submit" isBusy={form.isBusy} isOff={!form.isDirty}>
          {t('save')}
        </Button>
        <Note tone="live">{form.problem && why(form.problem)}</Note>
      </form>
      {data.muted.length > 0 && (
        <>
          <h3>{t('muted')}</h3>
          <ul className={styles.people}>
            {data.muted.map(({ platform, sender_id, name }) => (
              <li key={`${platform} ${sender_id}`} className={styles.mutedRow}>
                <bdi>{name}</bdi>
                <Button
                  look="quiet"
                  onClick={() =>
                    write.mutate({
                      project_id: projectId,
                      unmute: { platform: platformNamed(platform).type, sender_id },
                    })
                  }
                >
                  {t('unmute')}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
