import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PaperArchive, PaperArchives } from '#contract/entities/paper-archives.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { formatMonth } from '#src/lib/format.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './paper-archives.module.css'
import { QueryPart } from './query-part.tsx'

/** Options of a query of archives: their addresses hold tickets that expire. */
export const archiveRefresh = { staleTime: 0, refetchInterval: 240_000 } as const

/** Papers of a month as a ZIP file, of a project or of the installation. */
export function PaperArchivesCard({ query }: { readonly query: UseQueryResult<PaperArchives> }) {
  const { t } = useTranslation('paper-archives')
  return (
    <Card title={t('title')} note={t('note')}>
      <QueryPart query={query} failed={t('failed')} skeleton={<Skeleton height={66} />}>
        {({ results: [newest, ...older] }) =>
          newest === undefined ? <p className={styles.quiet}>{t('none')}</p> : <Choice newest={newest} older={older} />
        }
      </QueryPart>
    </Card>
  )
}

const keyOf = ({ month, part }: PaperArchive): string => `${month}/${part}`

function Choice({ newest, older }: { readonly newest: PaperArchive; readonly older: readonly PaperArchive[] }) {
  const { t } = useTranslation('paper-archives')
  const language = useLanguage()
  const { comma } = usePunctuation()
  const [chosen, setChosen] = useState('')
  const all = [newest, ...older]
  const archive = all.find((one) => keyOf(one) === chosen) ?? newest
  const labelOf = ({ month, part, parts }: PaperArchive) =>
    formatMonth(month, language) + (parts === 1 ? '' : comma + t('part', { part, parts }))
  return (
    <div className={styles.choice}>
      <SelectField
        label={t('month')}
        value={keyOf(archive)}
        choices={all.map((one) => ({ value: keyOf(one), label: labelOf(one) }))}
        onChange={setChosen}
      />
      <a
        className={buttonClass('outline')}
        href={new URL(archive.url, apiRuntime().baseUrl || location.origin).href}
        download
      >
        {t('download', { count: archive.papers })}
      </a>
    </div>
  )
}
