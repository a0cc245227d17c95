// Vite configuration of programs with planted mistakes (planted.ts): the one of the service, and a plugin.
import { defineConfig, mergeConfig } from 'vite'
import service from '#scripts/house/service.config.ts'
import { plant, plantedNames } from './planted.ts'

export default defineConfig(mergeConfig(service, { plugins: [plant((process.env[plantedNames] ?? '').split(','))] }))
