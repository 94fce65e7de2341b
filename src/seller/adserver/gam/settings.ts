/** The key of a service account, as Google Cloud hands it out. */
export type ServiceAccount = {
  readonly client_email: string;
  /** PKCS #8, PEM. */
  readonly private_key: string;
  readonly private_key_id?: string | undefined;
};

/** How a tenant's orders go to Google Ad Manager. */
export type GamSettings = {
  readonly network_code: string;
  readonly service_account: ServiceAccount;
  /** ISO 4217 and IANA, as the network has them. */
  readonly currency: string;
  readonly time_zone: string;
  /** The id of the user who answers for the orders. */
  readonly trafficker: string;
  /** Of the SOAP API, such as `v202608`; each is switched off a year and a quarter after it came. */
  readonly soap_version: string;
  /** Of both APIs together; all tenants of a network share it. What a network that is not of the larger kind may be asked unless set. */
  readonly requests_per_second?: number | undefined;
  /** Companies by the domain of the brand; of a brand without one a company is created. */
  readonly advertisers?: Readonly<Record<string, string>> | undefined;
  /** Geo targets by what buyers write, `US` and `US-CA`; what is not here cannot be targeted. */
  readonly geo_targets?: Readonly<Record<string, string>> | undefined;
  /** Device categories by what buyers write, such as `mobile`; what is not here cannot be targeted. */
  readonly device_categories?: Readonly<Record<string, string>> | undefined;
};

/** A pair of a key and values that a product's lines are targeted by, by their ids. */
export type GamCustomTargeting = {
  readonly key: string;
  readonly values: readonly string[];
  readonly negative?: boolean | undefined;
};

/** Where a product's lines run. */
export type GamProduct = {
  readonly ad_units?: readonly string[] | undefined;
  readonly placements?: readonly string[] | undefined;
  /** In pixels, such as `300x250`. */
  readonly sizes: readonly string[];
  readonly custom_targeting?: readonly GamCustomTargeting[] | undefined;
  /** Of what a sponsorship gets; 100 unless set. */
  readonly share_percent?: number | undefined;
};

/** A size in pixels. */
export type Size = { readonly width: number; readonly height: number };

/** Returns a size of a product's settings; undefined for a text that is none. */
export function readSize(text: string): Size | undefined {
  const match = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/.exec(text);
  return match === null ? undefined : { width: Number(match[1]), height: Number(match[2]) };
}

/** Returns a product's settings, which `judgeProduct` has found as they should be. */
export function readProduct(adapter: Readonly<Record<string, unknown>>): GamProduct {
  return adapter as GamProduct;
}
