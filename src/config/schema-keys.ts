import type { Path } from './path.js';

/** What a look into a zod schema needs of it; zod shows the rest of a definition by class alone. */
interface Definition {
  readonly shape?: Readonly<Record<string, unknown>>;
  readonly options?: readonly unknown[];
  readonly element?: unknown;
  readonly valueType?: unknown;
  readonly innerType?: unknown;
}

/** Keys that a schema knows at `path`, in all the forms that are allowed there. */
export function keysAt(schema: unknown, path: Path): string[] {
  const forms = formsOf(schema);
  const [step, ...rest] = path;
  const found =
    step === undefined
      ? forms.flatMap((form) => Object.keys(definition(form).shape ?? {}))
      : forms.flatMap((form) => keysAt(childOf(form, step), rest));
  return [...new Set(found)];
}

/** The forms behind optional, default and union. */
function formsOf(schema: unknown): unknown[] {
  const { innerType, options } = definition(schema);
  if (innerType !== undefined) return formsOf(innerType);
  return options === undefined ? [schema] : options.flatMap(formsOf);
}

function childOf(schema: unknown, step: string | number): unknown {
  const { shape, element, valueType } = definition(schema);
  return typeof step === 'number' ? element : (shape?.[step] ?? valueType);
}

function definition(schema: unknown): Definition {
  return (schema as { readonly def?: Definition } | undefined)?.def ?? {};
}
