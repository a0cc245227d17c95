import { useTranslation } from 'react-i18next'
import { type Scope, scopeGroups } from '#contract/core/scopes.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'

/** Returns a function that names scopes: "Control surface, Chat (read and change)". */
export function useScopeText(): (scopes: readonly string[]) => string {
  const { t } = useTranslation('apps')
  const { comma } = usePunctuation()
  return (scopes) => {
    const has = (scope: Scope) => scopes.includes(scope)
    const groups = scopeGroups.flatMap((group) => {
      const level = has(`${group}:write`) ? 'write' : has(`${group}:read`) ? 'read' : null
      return level ? [t(`granted.${level}`, { name: t(`scope.${group}.title`) })] : []
    })
    return [...(has('control') ? [t('scope.control.title')] : []), ...groups].join(comma)
  }
}
