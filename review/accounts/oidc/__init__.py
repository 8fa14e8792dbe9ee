"""People who come by an OpenID Connect provider; switched on by the section [oidc] of the settings."""
