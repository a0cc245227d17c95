import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { policies, policyNames } from '#contract/areas/help/policies.ts'
import { q } from '#src/api/query.ts'
import { formatDate } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Page } from '#src/ui/page.tsx'
import { TextPage } from './text-page.tsx'
import { TextQuery } from './text-query.tsx'

/** A policy of the operator. Needs no session. */
export function PolicyPage() {
  const { t } = useTranslation('help')
  const { name } = useParams()
  const known = policyNames.find((each) => each === name)
  return known ? (
    <Policy name={known} />
  ) : (
    <Page title={t('policies.title')}>
      <EmptyState title={t('policies.unknown')} action={<Link to={paths.help()}>{t('title')}</Link>} />
    </Page>
  )
}

function Policy({ name }: { readonly name: (typeof policyNames)[number] }) {
  const { t } = useTranslation('help')
  const language = useLanguage()
  const policy = useQuery(q(policies.get, { file_name: name }))
  return (
    <TextQuery
      query={policy}
      title={t('policies.title')}
      failed={t('policies.failed')}
      unknown={t('policies.unknown')}
      back={<Link to={paths.help()}>{t('title')}</Link>}
    >
      {({ result }) => (
        <TextPage
          title={result.title}
          language={result.language_iso}
          intro={t('policies.changed', { date: formatDate(result.date_update, language) })}
          blocks={result.blocks}
        />
      )}
    </TextQuery>
  )
}
