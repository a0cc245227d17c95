import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { platforms } from '#contract/areas/channels/platforms.ts'
import type { CategoryPlatform } from '#contract/platforms/platforms.ts'
import { q } from '#src/api/query.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './channel.module.css'
import { Refusal } from '#src/areas/channels/refusal.tsx'
import { hasField, type StreamValues } from './stream-fields.ts'

const ComboField = lazy(async () => ({ default: (await import('#src/ui/combo-field.tsx')).ComboField }))

interface Props {
  readonly projectId: number
  readonly type: CategoryPlatform
  readonly values: StreamValues
  readonly onChange: (part: StreamValues) => void
}

/** Debounce before a search request, milliseconds. */
const restMs = 300

/** Category of a stream; searches the platform with the user's account. */
export function CategoryField({ projectId, type, values, onChange }: Props) {
  const { t } = useTranslation('channels')
  const chosen = { id: String(values['category_id']), name: String(values['category_name']) }
  // The search list loads its library on first use.
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState(chosen.name)
  const wanted = useRested(text)
  // No search while the field shows the selected category.
  const found = useQuery({
    ...q(platforms.category, { q: wanted, type }),
    enabled: wanted !== '' && wanted !== chosen.name,
    placeholderData: keepPreviousData,
    staleTime: 300_000,
  })
  const categories = found.data?.results ?? []
  const all = [
    ...(chosen.id && !categories.some(({ id }) => id === chosen.id) ? [chosen] : []),
    ...categories.map(({ id, name }) => ({ id, name })),
  ]
  const below = categories.find(({ id }) => id === chosen.id)?.subList ?? []
  const second = String(values['category_secondary_id'] ?? '')
  const choose = (id: string | null) => {
    const one = all.find((category) => category.id === id)
    onChange({
      category_id: one?.id ?? '',
      category_name: one?.name ?? '',
      ...(hasField(type, 'category_secondary_id') && { category_secondary_id: '', category_secondary_name: '' }),
    })
  }
  return (
    <>
      {isOpen ? (
        <Suspense fallback={<Skeleton height={92} />}>
          <ComboField
            isFocused
            label={t('field.category_id')}
            hint={t('category.hint')}
            error={found.error && <Refusal projectId={projectId} error={found.error} />}
            value={chosen.id || null}
            choices={all.map(({ id, name }) => ({ value: id, label: name }))}
            search={{ text, onChange: setText }}
            nothing={t(found.isFetching ? 'category.searching' : wanted === '' ? 'category.type' : 'category.nothing')}
            clearLabel={t('category.clear')}
            onChange={choose}
          />
        </Suspense>
      ) : (
        <div className={styles.category}>
          <span className={styles.imageLabel}>{t('field.category_id')}</span>
          <span>{chosen.name || t('category.none')}</span>
          <button type="button" className={styles.pick} onClick={() => setOpen(true)}>
            {t('category.choose')}
          </button>
        </div>
      )}
      {(below.length > 0 || second !== '') && (
        <SelectField
          label={t('field.category_secondary_id')}
          value={second}
          choices={[
            { value: '', label: t('field.unchanged') },
            ...(below.length > 0
              ? below.map(({ id, name }) => ({ value: id, label: name }))
              : [{ value: second, label: String(values['category_secondary_name']) }]),
          ]}
          onChange={(id) =>
            onChange({
              category_secondary_id: id,
              category_secondary_name: below.find((one) => one.id === id)?.name ?? '',
            })
          }
        />
      )}
    </>
  )
}

/** Debounced text. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text.trim()), restMs)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
