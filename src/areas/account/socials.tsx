import { useTranslation } from 'react-i18next'
import { auth } from '#contract/areas/account/auth.ts'
import type { Social, socials } from '#contract/areas/account/socials.ts'
import type { Output } from '#contract/core/operation.ts'
import { useWrite } from '#src/api/query.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { useFailureText } from '#src/components/failure.tsx'
import { paths } from '#src/lib/paths.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import styles from './account.module.css'
import { IconBrandGoogleFilled, IconBrandTelegram, IconBrandVk, IconUserCircle } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'

const icons = {
  google: IconBrandGoogleFilled,
  vk: IconBrandVk,
  'vk-id': IconBrandVk,
  telegram: IconBrandTelegram,
  local: IconUserCircle,
}

interface SocialIconProps {
  readonly provider: keyof typeof icons
  /** Photo of the user at the provider. */
  readonly photo: string | null
}

/** The user's photo at the provider, else the provider's icon. */
function SocialIcon({ provider, photo }: SocialIconProps) {
  const Icon = icons[provider]
  return photo ? (
    <img src={photo} alt="" width={38} height={38} className={styles.sign} referrerPolicy="no-referrer" />
  ) : (
    <span className={styles.sign} aria-hidden>
      <Icon size={22} stroke={1.6} />
    </span>
  )
}

type List = Output<typeof socials.list>
type Provider = List['available'][number]

const names = { google: 'Google', vk: 'VK', 'vk-id': 'VK', telegram: 'Telegram', local: '' } as const
/** `vk` and `vk-id` are the same account. */
const ownerOf = (provider: Provider) => (provider === 'vk-id' ? 'vk' : provider)

/** Connected social logins, and those available to connect. */
export function Socials({ list }: { readonly list: List }) {
  const { t } = useTranslation('account')
  const returned = useConnectReturn()
  const { results, available } = list
  const missing = available.filter((provider) => !results.some((social) => social.provider === ownerOf(provider)))
  return (
    <Card title={t('socials.title')} note={t('socials.text')}>
      <Note tone={returned.tone}>{returned.text}</Note>
      {results.length + missing.length === 0 ? (
        <EmptyState title={t('socials.none')}>{t('socials.noneText')}</EmptyState>
      ) : (
        <RowList label={t('socials.title')}>
          {results.map((social) => (
            <Connected key={social.provider} social={social} />
          ))}
          {missing.map((provider) => (
            <Missing key={ownerOf(provider)} provider={provider} />
          ))}
        </RowList>
      )}
    </Card>
  )
}

function Connected({ social }: { readonly social: Social }) {
  const { t } = useTranslation('account')
  const why = useFailureText('account')
  const disconnect = useWrite(auth.disconnect)
  const name = names[social.provider]
  const isLast = social.last === 1
  const noteId = `social-${social.id}`
  return (
    <Row
      lead={<SocialIcon provider={social.provider} photo={social.photo ?? null} />}
      title={name}
      about={
        <span className={styles.facts}>
          <span>{t('socials.as', { name: social.name })}</span>
          <span>
            {t('socials.since')} <DateStamp iso={social.date_create} />
          </span>
        </span>
      }
      actions={
        <Button
          look="outline"
          isBusy={disconnect.isPending}
          isOff={isLast}
          aria-label={t('socials.disconnectOne', { name })}
          aria-describedby={isLast ? noteId : undefined}
          onClick={() => disconnect.mutate({ social_id: social.id })}
        >
          {t('socials.disconnect')}
        </Button>
      }
    >
      {isLast ? (
        <p id={noteId} className={styles.note}>
          {t('socials.last')}
        </p>
      ) : (
        disconnect.error && <p role="alert">{why(disconnect.error)}</p>
      )}
    </Row>
  )
}

function Missing({ provider }: { readonly provider: Provider }) {
  const { t } = useTranslation('account')
  const why = useFailureText('account')
  const name = names[provider]
  const connect = useWrite(auth.connect, { onSuccess: ({ url }) => location.assign(url) })
  const begin = () => connect.mutate({ provider, redirect: location.origin + paths.account('socials') })
  return (
    <Row
      lead={<SocialIcon provider={provider} photo={null} />}
      title={name}
      about={t('socials.notConnected')}
      actions={
        <Button
          look="outline"
          isBusy={connect.isPending || connect.isSuccess}
          aria-label={t('socials.connectOne', { name })}
          onClick={begin}
        >
          {t('socials.connect')}
        </Button>
      }
    >
      {connect.error && <p role="alert">{why(connect.error)}</p>}
    </Row>
  )
}

// Return from a provider: sends the message of the URL to the service with the access token, and shows the outcome.

/** Message about the connection; empty without a return from a provider. */
function useConnectReturn(): { readonly tone: 'neutral' | 'ok' | 'live'; readonly text: string } {
  const { t } = useTranslation('account')
  const why = useFailureText('account')
  const [params, setParams] = useSearchParams()
  const [brought] = useState(() => (params.has('message') ? params : null))
  const sent = useRef(false)
  const { mutate: end, isPending, isSuccess, error } = useWrite(auth.connectCallback)

  useEffect(() => {
    // The message is valid once; React may run the effect again.
    if (!brought || sent.current) return
    sent.current = true
    // Removes the message from the browser history.
    setParams({}, { replace: true })
    end({ message: brought.get('message') ?? '' })
  }, [brought, setParams, end])

  if (isPending) return { tone: 'neutral', text: t('socials.connecting') }
  if (error) return { tone: 'live', text: why(error) }
  return isSuccess ? { tone: 'ok', text: t('socials.connected') } : { tone: 'neutral', text: '' }
}
