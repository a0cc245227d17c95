import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useForm } from '#src/components/form/use-form.ts'
import { paths } from '#src/lib/paths.ts'
import { isToken } from '#src/session/wire.ts'
import { Problem } from '#src/ui/problem.tsx'
import { connectToServer } from '#src/app/boot.ts'
import { Button } from '#src/ui/button.tsx'
import { SecretField } from '#src/ui/secret-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './entrance.module.css'

const empty = { baseUrl: '', accessToken: '', refreshToken: '', projectId: '' }
type Values = Readonly<typeof empty>

/**
 * Connects the dashboard to another server with the same API, with a pair of tokens entered by hand. The form is never
 * submitted, so no value gets into a URL; the fields are cleared with the page.
 */
export default function ConnectForm() {
  const { t } = useTranslation('sign-in')
  const [failure, setFailure] = useState<string | null>(null)
  const form = useForm<Values>({
    values: empty,
    check: (values) =>
      Object.fromEntries(
        Object.entries(problemsOf(values)).map(([name, problem]) => [name, t(`connect.wrong.${problem}`)]),
      ),
    onSubmit: async (values) => {
      setFailure(null)
      try {
        await connectToServer(values.baseUrl.trim(), pairOf(values), Number(values.projectId))
        location.assign(paths.tariffs(Number(values.projectId)))
      } catch {
        setFailure(t('connect.refused'))
      }
    },
  })
  const field = (name: keyof Values) => ({
    label: t(`connect.${name}`),
    required: true,
    autoComplete: 'off',
    spellCheck: false,
    ...form.field(name),
  })
  const words = { show: t('connect.show') }

  return (
    <form className={styles.form} noValidate onSubmit={form.submit}>
      <p className={styles.quiet}>{t('connect.intro')}</p>
      <TextField {...field('baseUrl')} type="url" inputMode="url" placeholder="https://api.example.com" />
      <SecretField {...field('accessToken')} words={words} />
      <SecretField {...field('refreshToken')} words={words} />
      <TextField {...field('projectId')} inputMode="numeric" />
      {failure !== null && <Problem title={t('connect.failed')}>{failure}</Problem>}
      <Button type="submit" look="outline" isBusy={form.isBusy}>
        {t('connect.button')}
      </Button>
    </form>
  )
}

function problemsOf(form: Values): Partial<Record<keyof Values, string>> {
  const tokens = (['accessToken', 'refreshToken'] as const).filter(
    (name) => !isToken(form[name].trim()) || /\s/.test(form[name].trim()),
  )
  return {
    ...(isBaseUrl(form.baseUrl.trim()) ? {} : { baseUrl: 'url' }),
    ...Object.fromEntries(tokens.map((name) => [name, 'token'])),
    ...(/^[1-9]\d{0,15}$/.test(form.projectId.trim()) ? {} : { projectId: 'number' }),
  }
}

const pairOf = ({ accessToken, refreshToken }: Values) => ({
  accessToken: accessToken.trim(),
  refreshToken: refreshToken.trim(),
})

/** An HTTP address without user, query or fragment. */
function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && !username && !search && !hash
}
