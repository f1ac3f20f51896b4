export type { Clock } from './clock/clock.js'
