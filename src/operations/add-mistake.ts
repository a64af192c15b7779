/** Notes one thing that is wrong with what the person gave: the message, and what would be right. */
export type AddMistake = (message: string, suggestion?: string) => void;
