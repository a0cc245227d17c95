export { usePlatform } from '#src/components/use-platform.ts'
