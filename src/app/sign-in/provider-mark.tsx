// Icons of the sign-in providers, copied from the icon library (Tabler, MIT): the sign-in page must not
// load the icon code of the pages behind it.

const vk =
  'M14 19h-4a8 8 0 0 1-8-8V6h4v5a4 4 0 0 0 4 4V6h4v4.5h.03A4.53 4.53 0 0 0 18 6.53V6h4l-.34 1.71A6.86 6.86 0 0 1 18 12.5a5.34 5.34 0 0 1 3.57 4.11L22 19h-4a4.53 4.53 0 0 0-3.97-4.5V19Z'

const lines: Readonly<Record<string, string>> = {
  vk,
  'vk-id': vk,
  telegram: 'm15 10-4 4 6 6 4-16-18 7 4 2 2 6 3-4',
  google: 'M20.95 11a9 9 0 1 1-3.29-6L15 7.4a5.5 5.5 0 1 0 2.12 6.6H13v-3h7.95',
}

/** Icon of a provider, by its name in `auth/redirect-url`. */
export function ProviderMark({ provider }: { readonly provider: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={18}
      height={18}
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      <path d={lines[provider]} />
    </svg>
  )
}
