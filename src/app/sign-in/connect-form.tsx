import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { paths } from '#src/lib/paths.ts'
import { isToken } from '#src/session/wire.ts'
import { Problem } from '#src/ui/problem.tsx'
import { connectToServer } from '../boot.ts'
import styles from './entrance.module.css'

/**
 * Points the dashboard at another server that speaks the API, with a pair of tokens entered by hand. The form is never
 * sent anywhere, so nothing of it gets into an address; the fields are emptied with the page.
 */
export default function ConnectForm() {
  const { t } = useTranslation('sign-in')
  const [form, setForm] = useState({ baseUrl: '', accessToken: '', refreshToken: '', projectId: '' })
  const [tried, setTried] = useState(false)
  const wrong = problemsOf(form)
  const connect = useMutation({
    mutationFn: () => connectToServer(form.baseUrl.trim(), form, Number(form.projectId)),
    onSuccess: () => location.assign(paths.tariffs(Number(form.projectId))),
  })

  const field = (name: keyof typeof form) => ({
    label: t(`connect.${name}`),
    value: form[name],
    required: true,
    withAsterisk: false,
    autoComplete: 'off',
    spellCheck: false,
    error: tried && wrong[name] ? t(`connect.wrong.${wrong[name]}`) : undefined,
    onChange: (event: { currentTarget: { value: string } }) =>
      setForm((before) => ({ ...before, [name]: event.currentTarget.value })),
  })

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (Object.keys(wrong).length === 0) connect.mutate()
  }

  return (
    <form className={styles.form} noValidate onSubmit={handleSubmit}>
      <p className={styles.quiet}>{t('connect.intro')}</p>
      <TextInput {...field('baseUrl')} type="url" inputMode="url" placeholder="https://api.example.com" />
      <PasswordInput {...field('accessToken')} visibilityToggleButtonProps={{ 'aria-label': t('connect.show') }} />
      <PasswordInput {...field('refreshToken')} visibilityToggleButtonProps={{ 'aria-label': t('connect.show') }} />
      <TextInput {...field('projectId')} inputMode="numeric" />
      {connect.isError && <Problem title={t('connect.failed')}>{connect.error.message}</Problem>}
      <Button type="submit" variant="light" loading={connect.isPending || connect.isSuccess}>
        {t('connect.button')}
      </Button>
    </form>
  )
}

type Form = Readonly<Record<'baseUrl' | 'accessToken' | 'refreshToken' | 'projectId', string>>

function problemsOf(form: Form): Partial<Record<keyof Form, string>> {
  const tokens = (['accessToken', 'refreshToken'] as const).filter((name) => !isToken(form[name].trim()))
  return {
    ...(isBaseUrl(form.baseUrl.trim()) ? {} : { baseUrl: 'url' }),
    ...Object.fromEntries(tokens.map((name) => [name, 'token'])),
    ...(/^[1-9]\d{0,15}$/.test(form.projectId.trim()) ? {} : { projectId: 'number' }),
  }
}

/** An address of the web without user, query or fragment. */
function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && !username && !search && !hash
}
