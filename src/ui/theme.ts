// The look, in one place: slate neutrals, one violet-blue accent. Red is for "on air" and for destruction alone.
import { createTheme, type MantineColorsTuple } from '@mantine/core'

const iris: MantineColorsTuple = [
  '#f3f3ff',
  '#e6e7ff',
  '#cdcffd',
  '#b2b5fa',
  '#9698f2',
  '#7679e6',
  '#5b5bd6',
  '#4f4ec4',
  '#4240a8',
  '#34328a',
]
const gray: MantineColorsTuple = [
  '#f6f8fb',
  '#eef1f6',
  '#e2e7ef',
  '#d0d7e2',
  '#b3bdcc',
  '#8592a6',
  '#566176',
  '#455063',
  '#2f3848',
  '#161d2b',
]
const dark: MantineColorsTuple = [
  '#d5dbe8',
  '#b4bdce',
  '#949fb5',
  '#66728a',
  '#333d50',
  '#28313f',
  '#1b2230',
  '#131925',
  '#0f141e',
  '#0a0e16',
]

export const theme = createTheme({
  primaryColor: 'iris',
  primaryShade: 6,
  colors: { iris, gray, dark },
  black: '#161d2b',
  fontFamily:
    "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, 'PingFang SC', 'Microsoft YaHei', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'Roboto Mono', Menlo, Consolas, monospace",
  headings: { fontWeight: '650' },
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '6px', md: '9px', lg: '14px', xl: '20px' },
  fontSizes: { xs: '12px', sm: '13.5px', md: '15px', lg: '17px', xl: '20px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '36px' },
  shadows: {
    xs: '0 1px 2px rgb(15 20 30 / 6%)',
    sm: '0 1px 2px rgb(15 20 30 / 6%), 0 2px 8px rgb(15 20 30 / 5%)',
    md: '0 2px 4px rgb(15 20 30 / 7%), 0 8px 24px rgb(15 20 30 / 9%)',
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
})
