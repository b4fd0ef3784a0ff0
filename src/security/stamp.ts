/** The stamp of a file: six characters of a hash of its bytes, the same in every process and every copy of the file. Pure. */
import { createHash } from 'node:crypto';

/** 36 bits: of two states of one file one pair in 69 thousand million has the same stamp. */
const LENGTH = 6;

export const stampOf = (content: Buffer | string): string => createHash('sha1').update(content).digest('base64url').slice(0, LENGTH);
