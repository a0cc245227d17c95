import { useTranslation } from 'react-i18next'
import { channels } from '#contract/areas/channels/channels.ts'
import type { Input } from '#contract/core/operation.ts'
import { toApiError } from '#src/api/api-error.ts'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { Button } from '#src/ui/button.tsx'
import { Note } from '#src/ui/note.tsx'
import styles from '#src/areas/channels/add/add.module.css'

interface Props {
  readonly input: Input<typeof channels.test>
  readonly isOff?: boolean
  readonly onTest?: () => void
}

/** Tests whether the address answers and shows the result. Leaves the key out: sending it would start a stream. */
export function ConnectionTest({ input, isOff = false, onTest }: Props) {
  const { t } = useTranslation('channels')
  const why = useFailureText()
  const test = useWrite(channels.test)
  // Show the result only for the address it was measured with.
  const isCurrent = JSON.stringify(test.variables) === JSON.stringify(input)
  const { data, error } = isCurrent ? test : { data: undefined, error: null }
  return (
    <div className={styles.test}>
      <Button
        look="outline"
        isBusy={test.isPending}
        isOff={isOff}
        title={isOff ? t('test.noAddress') : undefined}
        onClick={() => {
          onTest?.()
          test.mutate(input)
        }}
      >
        {t('test.button')}
      </Button>
      <Note tone={data?.reachable ? 'ok' : 'warn'}>
        {data && t(`test.${data.reason}`, { ms: data.latency ?? 0 })}
        {error && (Object.values(toApiError(error).fields).flat().join(' ') || why(error))}
      </Note>
    </div>
  )
}
