import type { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One operation of the contact center's interface, as data. */
export interface Operation {
  /** Section of interface.md. */
  readonly section: string;
  readonly summary: string;
  readonly tag: 'Clients' | 'Call applications' | 'Campaigns' | 'Groups' | 'Callbacks';
  readonly method: Method;
  /** Path below the base URL, with `{name}` for path parameters. */
  readonly path: string;
  /** Path parameters. */
  readonly params?: z.ZodObject;
  /** Query parameters that the caller gives. */
  readonly query?: z.ZodObject | z.ZodRecord;
  /** Query parameters that never change, such as `type=tm`. */
  readonly fixedQuery?: Readonly<Record<string, string>>;
  readonly body?: z.ZodType;
  /**
   * HTTP status of success.
   * @default 200
   */
  readonly status?: 200 | 201;
  /** Body of success; absent: an acknowledgement whose form the interface does not show. */
  readonly response?: z.ZodType;
  /**
   * How it reports failure (interface.md 7). 4.1 reports per-client failure inside its success.
   * @default 'errorMessage'
   */
  readonly failure?: 'errorMessage' | 'errors';
  /** Error messages that the interface names for this operation, if any. `<…>` stands for a value. */
  readonly messages?: readonly string[];
}
