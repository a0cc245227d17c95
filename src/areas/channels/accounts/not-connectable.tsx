import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Platform } from '#contract/entities/channel.ts'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { useInstallation } from '#src/components/use-installation.ts'
import { formatList } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Row, RowList } from '#src/ui/row-list.tsx'
import styles from './accounts.module.css'

interface Props {
  readonly projectId: number
  /** Platforms without a registration of this server; at least one. */
  readonly platforms: readonly Platform[]
}

/** Platforms whose accounts this server cannot connect: a sentence, and the missing settings for operators. */
export function NotConnectable({ projectId, platforms }: Props) {
  const { t } = useTranslation('platform-accounts')
  const language = useLanguage()
  const { isOperator } = useInstallation()
  const names = platforms.map(({ title }) => title)
  return (
    <div className={styles.act}>
      <p>{t('connect.off', { platforms: formatList(names, language) })}</p>
      <Link to={paths.channels(projectId, 'add')}>{t('connect.add')}</Link>
      {isOperator && (
        <details className={styles.setUp}>
          <summary>{t('connect.setUp')}</summary>
          <RowList label={t('connect.setUp')}>
            {platforms.map(({ type, title, missing_settings: missing = [] }) => (
              <Row
                key={type}
                lead={<PlatformIcon type={type} />}
                title={title}
                about={missing.length > 0 && t('connect.missing', { settings: formatList(missing, language) })}
              />
            ))}
          </RowList>
        </details>
      )}
    </div>
  )
}
