import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { releases } from '#contract/areas/help/releases.ts'
import { q } from '#src/api/query.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { formatDate } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Card, Cards } from '#src/ui/card.tsx'
import { Fact, FactList } from '#src/ui/fact-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './help.module.css'
import { shortcuts } from './shortcuts.ts'

/** Keyboard shortcuts, API and version. */
export function HelpCards() {
  const { t } = useTranslation('help')
  return (
    <Cards>
      <Card title={t('keys.title')}>
        <FactList>
          {shortcuts().map(({ name, keys }) => (
            <Fact key={name} name={t(`keys.${name}`)}>
              {keys.map((key) => (
                <kbd key={key} className={styles.key}>
                  {key}
                </kbd>
              ))}
            </Fact>
          ))}
        </FactList>
      </Card>
      <Card title={t('api.title')}>
        <p>{t('api.text')}</p>
        <ul className={styles.links}>
          <li>
            <Link to={paths.reference()}>{t('api.reference')}</Link>
          </li>
          <li>
            <Link to={paths.account('sessions')}>{t('api.script')}</Link>
          </li>
          <li>
            <a href={`${apiRuntime().baseUrl}/openapi.json`}>{t('api.openapi')}</a>
          </li>
        </ul>
      </Card>
      <Card title={t('release.title')}>
        <Release />
      </Card>
    </Cards>
  )
}

function Release() {
  const { t } = useTranslation('help')
  const language = useLanguage()
  const release = useQuery(q(releases.current, {}))
  return (
    <QueryPart query={release} failed={t('release.failed')} skeleton={<Skeleton height={114} />}>
      {({ version, date }) => (
        <FactList>
          <Fact name={t('release.version')}>{version}</Fact>
          <Fact name={t('release.date')}>
            {Number.isNaN(Date.parse(date)) ? date : <time dateTime={date}>{formatDate(date, language)}</time>}
          </Fact>
        </FactList>
      )}
    </QueryPart>
  )
}
