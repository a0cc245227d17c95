import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { auth } from '#contract/areas/account/auth.ts'
import { q } from '#src/api/query.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { CodeBlock } from '#src/components/code-block.tsx'
import { paths } from '#src/lib/paths.ts'
import { Card } from '#src/ui/card.tsx'
import styles from './account.module.css'
import { scriptCommands } from './script-commands.ts'

/** Commands that give a script its own session, with this server and e-mail address filled in. */
export function ScriptCard() {
  const { t } = useTranslation('account', { keyPrefix: 'script' })
  const me = useQuery(q(auth.me, {}))
  const commands = scriptCommands(apiRuntime().baseUrl || location.origin, me.data?.email ?? '')
  const copy = { idle: t('copy'), copied: t('copied'), refused: t('refused') }
  return (
    <Card title={t('title')} note={t('text')}>
      <details className={styles.script}>
        <summary>{t('show')}</summary>
        <div className={styles.stack}>
          {(['signIn', 'call', 'refresh'] as const).map((step) => (
            <CodeBlock key={step} heading="h3" label={t(step)} text={commands[step]} copy={copy} />
          ))}
          <p>
            {t('secret')} <Link to={paths.reference()}>{t('reference')}</Link>
          </p>
        </div>
      </details>
    </Card>
  )
}
