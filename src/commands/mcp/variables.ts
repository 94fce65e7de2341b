/** The variable of the environment that stands for `--url`: a client keeps it beside the command that it starts. */
export const URL_VARIABLE = 'SELLER_AGENT_URL';

/** The variable of the environment that stands for `--key`. */
export const KEY_VARIABLE = 'SELLER_AGENT_KEY';
