import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { paths } from '#src/lib/paths.ts'
import { safeReturnTo } from '#src/session/return-to.ts'
import { useAuth } from '#src/stores/session.ts'
import { Button } from '#src/ui/button.tsx'
import { Problem } from '#src/ui/problem.tsx'
import { dashboard, disconnectFromServer } from '#src/app/boot.ts'
import { noteSignIn } from './begin.ts'
import { Entrance } from './entrance.tsx'
import styles from './entrance.module.css'
import { useWhy } from './use-why.ts'

// Icons of the sign-in providers, copied from the icon library (Tabler, MIT): the sign-in page must not
// load the icon code of the pages behind it.

const vk =
  'M14 19h-4a8 8 0 0 1-8-8V6h4v5a4 4 0 0 0 4 4V6h4v4.5h.03A4.53 4.53 0 0 0 18 6.53V6h4l-.34 1.71A6.86 6.86 0 0 1 18 12.5a5.34 5.34 0 0 1 3.57 4.11L22 19h-4a4.53 4.53 0 0 0-3.97-4.5V19Z'

const lines: Readonly<Record<string, string>> = {
  vk,
  'vk-id': vk,
  telegram: 'm15 10-4 4 6 6 4-16-18 7 4 2 2 6 3-4',
  google: 'M20.95 11a9 9 0 1 1-3.29-6L15 7.4a5.5 5.5 0 1 0 2.12 6.6H13v-3h7.95',
}

/** Icon of a provider, by its name in `auth/redirect-url`. */
function ProviderMark({ provider }: { readonly provider: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={18}
      height={18}
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      <path d={lines[provider]} />
    </svg>
  )
}

const socialProviders = [
  { provider: 'google', name: 'Google' },
  { provider: 'vk-id', name: 'VK ID' },
  { provider: 'vk', name: 'VK' },
  { provider: 'telegram', name: 'Telegram' },
] as const
type Provider = 'local' | (typeof socialProviders)[number]['provider']

/** Code of the request, loaded when pointer or focus reaches a button. */
const asking = () => import('./sign-in-url.ts')
const askSoon = () => void asking().catch(() => undefined)
const near = { onPointerEnter: askSoon, onFocus: askSoon }

const ConnectForm = lazy(() => import('./connect-form.tsx'))

/** Sign-in page: sign in at the service, or connect this dashboard to another server. */
export function SignInPage() {
  const { t } = useTranslation('sign-in')
  const why = useWhy()
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const returnTo = safeReturnTo(params.get('returnTo'))
  // Signed in meanwhile: in another tab, or a slow storage has returned the session.
  const isSignedIn = useAuth(({ status }) => status === 'authenticated')
  useEffect(() => {
    if (isSignedIn) void navigate(returnTo, { replace: true })
  }, [isSignedIn, navigate, returnTo])
  const [isConnecting, setConnecting] = useState(false)
  const [state, setState] = useState<{ isBusy: boolean; failure: string | null }>({ isBusy: false, failure: null })
  const { otherServer, signIn, policies } = dashboard()
  const providers = otherServer ? [] : socialProviders.filter(({ provider }) => signIn.includes(provider))
  // A link of the service that allows one user to create an account.
  const invitation = params.get('invite') ?? undefined

  const begin = async (provider: Provider, open = (url: string) => location.assign(url)) => {
    setState({ isBusy: true, failure: null })
    try {
      const { signInUrl } = await asking()
      open(await signInUrl(provider, noteSignIn(returnTo), invitation))
    } catch (error) {
      setState({ isBusy: false, failure: why(error) })
    }
  }

  // The link of a new account opens its form; Back does not lead here again.
  const beginSignUp = useEffectEvent(() => {
    if (invitation !== undefined && !otherServer) void begin('local', (url) => location.replace(url))
  })
  useEffect(() => queueMicrotask(() => beginSignUp()), [])

  const introOf = () => {
    if (otherServer) return t('otherServer', { server: new URL(otherServer).host })
    return t(invitation === undefined ? 'intro' : 'invited.intro')
  }

  return (
    <Entrance title={t(invitation === undefined ? 'title' : 'invited.title')} intro={introOf()}>
      {params.has('ended') && state.failure === null && <p className={styles.ended}>{t('ended')}</p>}
      {state.failure !== null && <Problem title={t('failed')}>{state.failure}</Problem>}
      <Button isBusy={state.isBusy} {...near} onClick={() => void begin('local')}>
        {t(invitation === undefined ? 'button' : 'invited.button')}
      </Button>
      {providers.length > 0 && (
        <div className={styles.social}>
          <p className={styles.or}>{t('or')}</p>
          {providers.map(({ provider, name }) => (
            <Button key={provider} look="outline" isOff={state.isBusy} {...near} onClick={() => void begin(provider)}>
              <ProviderMark provider={provider} /> {t('continueWith', { name })}
            </Button>
          ))}
        </div>
      )}
      {otherServer && (
        <Button
          look="outline"
          onClick={() => {
            disconnectFromServer()
            location.assign(paths.signIn())
          }}
        >
          {t('backToOwn')}
        </Button>
      )}
      <details className={styles.more} onToggle={(event) => setConnecting(event.currentTarget.open)}>
        <summary>{t('connect.title')}</summary>
        {isConnecting && (
          <Suspense>
            <ConnectForm />
          </Suspense>
        )}
      </details>
      <Link to={paths.reference()} className={styles.quiet}>
        {t('reference')}
      </Link>
      {!otherServer && policies.length > 0 && (
        <nav className={styles.policies} aria-label={t('policies.title')}>
          {policies.map((name) => (
            <Link key={name} to={paths.policy(name)} className={styles.quiet}>
              {t(`policies.${name}`)}
            </Link>
          ))}
        </nav>
      )}
    </Entrance>
  )
}
