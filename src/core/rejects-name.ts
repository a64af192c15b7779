/** How the files of rejects are called that a run leaves in its folder. */
export const REJECTS_NAME = /^rejects(-\d+)?\.(csv|xlsx)$/;
