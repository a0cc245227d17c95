import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { paths } from '#src/lib/paths.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { Problem } from '#src/ui/problem.tsx'
import { noteSignIn, popupName } from './begin.ts'
import { signInUrl } from './sign-in-url.ts'
import { useWhy } from './use-why.ts'

/** Sign-in over a page with unsaved input, which stays as it is. */
export default function SignInDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('sign-in')
  const why = useWhy()
  const begin = useMutation({
    mutationFn: async () => {
      const state = noteSignIn(paths.root())
      // Opened before the first await: browsers block windows that no click has opened.
      const popup = window.open('about:blank', popupName, 'popup,width=480,height=720')
      const url = await signInUrl('local', state)
      if (popup) popup.location.assign(url)
      else location.assign(url)
    },
  })
  return (
    <Dialog title={t('dialog.title')} onClose={onClose}>
      <p>{t('dialog.text')}</p>
      {begin.isError && <Problem title={t('failed')}>{why(begin.error)}</Problem>}
      <Button isBusy={begin.isPending} onClick={() => begin.mutate()}>
        {t('dialog.button')}
      </Button>
      <Button look="outline" onClick={onClose}>
        {t('dialog.close')}
      </Button>
    </Dialog>
  )
}
