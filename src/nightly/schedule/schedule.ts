import type { TimeOfDay } from '../../core/time-of-day.js';
import type { ScheduleNeeds } from './needs.js';

/** What is started, and when. */
export interface ScheduleRequest extends ScheduleNeeds {
  /** Program and first arguments of the command line, absolute paths. */
  readonly command: readonly string[];
  /** When it takes what is there, every day. `undefined`: it watches all the time. */
  readonly at: TimeOfDay | undefined;
  /** The user that it runs as. */
  readonly user: string;
  /** Name of the time zone of this machine. */
  readonly zone: string;
}

/** A file to install. */
export interface ScheduleFile {
  /** Absolute path. */
  readonly path: string;
  readonly text: string;
}

/** What is printed. */
export interface Schedule {
  readonly files: readonly ScheduleFile[];
  /** How it is installed, in lines for a person. */
  readonly steps: readonly string[];
}

/** What is printed, and what else is to be known of it. */
export interface NotedSchedule extends Schedule {
  readonly notes: readonly string[];
}

/** Code 3 asks to be started again; after so many seconds it is. */
export const AGAIN_SECONDS = 300;

/** The arguments behind the command. */
export const watchArguments = ({ file, at }: Pick<ScheduleRequest, 'file' | 'at'>): string[] => [
  'watch',
  file,
  ...(at === undefined ? [] : ['--once']),
];
