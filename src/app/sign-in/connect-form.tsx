import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { paths } from '#src/lib/paths.ts'
import { isToken } from '#src/session/wire.ts'
import { Problem } from '#src/ui/problem.tsx'
import { connectToServer } from '#src/app/boot.ts'
import { Button } from '#src/ui/button.tsx'
import { SecretField } from '#src/ui/secret-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './entrance.module.css'

/**
 * Connects the dashboard to another server with the same API, with a pair of tokens entered by hand. The form is never
 * submitted, so no value gets into a URL; the fields are cleared with the page.
 */
export default function ConnectForm() {
  const { t } = useTranslation('sign-in')
  const [form, setForm] = useState({ baseUrl: '', accessToken: '', refreshToken: '', projectId: '' })
  const [tried, setTried] = useState(false)
  const wrong = problemsOf(form)
  const [state, setState] = useState<{ isBusy: boolean; failure: string | null }>({ isBusy: false, failure: null })

  const connect = async () => {
    setState({ isBusy: true, failure: null })
    try {
      await connectToServer(form.baseUrl.trim(), pairOf(form), Number(form.projectId))
      location.assign(paths.tariffs(Number(form.projectId)))
    } catch {
      setState({ isBusy: false, failure: t('connect.refused') })
    }
  }

  const field = (name: keyof typeof form) => ({
    label: t(`connect.${name}`),
    value: form[name],
    required: true,
    autoComplete: 'off',
    spellCheck: false,
    error: tried && wrong[name] ? t(`connect.wrong.${wrong[name]}`) : undefined,
    onChange: (value: string) => setForm((before) => ({ ...before, [name]: value })),
  })

  const words = { show: t('connect.show') }

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (Object.keys(wrong).length === 0) void connect()
  }

  return (
    <form className={styles.form} noValidate onSubmit={handleSubmit}>
      <p className={styles.quiet}>{t('connect.intro')}</p>
      <TextField {...field('baseUrl')} type="url" inputMode="url" placeholder="https://api.example.com" />
      <SecretField {...field('accessToken')} words={words} />
      <SecretField {...field('refreshToken')} words={words} />
      <TextField {...field('projectId')} inputMode="numeric" />
      {state.failure !== null && <Problem title={t('connect.failed')}>{state.failure}</Problem>}
      <Button type="submit" look="outline" isBusy={state.isBusy}>
        {t('connect.button')}
      </Button>
    </form>
  )
}

type Form = Readonly<Record<'baseUrl' | 'accessToken' | 'refreshToken' | 'projectId', string>>

function problemsOf(form: Form): Partial<Record<keyof Form, string>> {
  const tokens = (['accessToken', 'refreshToken'] as const).filter(
    (name) => !isToken(form[name].trim()) || /\s/.test(form[name].trim()),
  )
  return {
    ...(isBaseUrl(form.baseUrl.trim()) ? {} : { baseUrl: 'url' }),
    ...Object.fromEntries(tokens.map((name) => [name, 'token'])),
    ...(/^[1-9]\d{0,15}$/.test(form.projectId.trim()) ? {} : { projectId: 'number' }),
  }
}

const pairOf = ({ accessToken, refreshToken }: Form) => ({
  accessToken: accessToken.trim(),
  refreshToken: refreshToken.trim(),
})

/** An HTTP address without user, query or fragment. */
function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && !username && !search && !hash
}
