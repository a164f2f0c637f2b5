/** A field at fault, and what is wrong with it. */
export interface FieldError {
  field: string;
  message: string;
}

/** How every refusal is told (RFC 9457). `ParleyError` is made of it. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: string;
  message: string;
  errors?: FieldError[];
  retryable: boolean;
}
