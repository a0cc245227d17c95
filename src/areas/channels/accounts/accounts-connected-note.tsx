import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import { platforms } from '#contract/areas/channels/platforms.ts'
import { accountKinds } from '#contract/platforms/platforms.ts'
import { useWrite } from '#src/api/query.ts'
import { paths } from '#src/lib/paths.ts'
import { Note } from '#src/ui/note.tsx'
import { Refusal } from '#src/areas/channels/refusal.tsx'

/** Completes a platform connection as the signed-in user, and shows its outcome. */
export function ConnectedNote({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('platform-accounts')
  const { isPending, data, error } = useReturn()
  if (isPending) return <Note>{t('connected.wait')}</Note>
  if (error) {
    return (
      <Note tone="warn">
        {t('connected.failed')} <Refusal projectId={projectId} error={error} />
      </Note>
    )
  }
  if (!data) return <Note />
  const { account, platform, channel_id: channelId, active } = data
  const about = channelId === null ? 'places' : active ? 'channel' : 'channelOff'
  return (
    <Note tone="ok">
      {t('connected.done', { name: account.name, platform: accountKinds[platform].title })} {t(`connected.${about}`)}{' '}
      {channelId !== null && <Link to={paths.channel(projectId, channelId)}>{t('connected.settings')}</Link>}
    </Note>
  )
}

/** Completes the connection once when the browser returns from a platform, and removes its parameters from the URL. */
function useReturn() {
  const navigate = useNavigate()
  const { hash, pathname, search } = useLocation()
  const finish = useWrite(platforms.finish)
  const { mutate } = finish
  const state = new URLSearchParams(hash.slice(1)).get('connect')
  const seen = useRef<string | null>(null)
  useEffect(() => {
    if (state === null || seen.current === state) return
    seen.current = state
    mutate({ state })
    void navigate({ pathname, search }, { replace: true, preventScrollReset: true })
  }, [state, mutate, navigate, pathname, search])
  return finish
}
