import { useTranslation } from 'react-i18next'
import { chat } from '#contract/areas/chat/chat.ts'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { Button } from '#src/ui/button.tsx'

/** Sends a sample to the open pages and overlays of the project. */
export function TestButton({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('chat')
  const why = useFailureText()
  const test = useWrite(chat.test)
  return (
    <>
      <output className="visually-hidden">{test.error ? why(test.error) : test.isSuccess ? t('tested') : ''}</output>
      <Button
        look="outline"
        isBusy={test.isPending}
        title={test.error ? why(test.error) : undefined}
        onClick={() => test.mutate({ project_id: projectId })}
      >
        {t('test')}
      </Button>
    </>
  )
}
