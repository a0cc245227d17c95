import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { projects } from '#contract/areas/projects/projects.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { q } from '#src/api/query.ts'
import { localeOf } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'

/** Note for members without the right to buy, with the names of the owners. */
export function WhomToAsk({ projectId }: { projectId: number }) {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  const members = useQuery(q(projects.members, { project_id: projectId }))
  const owners = members.data?.results.filter((member) => roleCan(member.access_type, 'owner')) ?? []
  const names = owners.map(({ name, fename }) => [name, fename].filter(Boolean).join(' ')).filter(Boolean)
  if (names.length === 0) return t('right.askAnOwner')
  const list = new Intl.ListFormat(localeOf[language], { type: 'disjunction' }).format(names)
  return t('right.ask', { names: list })
}
