//! What running subscriptions need of `brands.toml`: their brand, their network, its API and its names for them.

use brands::{Brands, SubscriberNames};
use diesel::{dsl::sql, prelude::*, sql_types::Bool};
use store::{DbConnection, on_each_backend};

use crate::{
    error::Error,
    schema::{network_entries, subscriptions},
    subscribers::subscriptions::Subscription,
};

/// Why a table cannot be used while subscriptions run; else it is recorded as the one that is.
pub(crate) fn problem_of(conn: &mut DbConnection, brands: &Brands) -> Result<Option<String>, Error> {
    let networks = Subscription::networks_in_use(conn)?;
    if let Some(name) = networks.iter().find(|name| brands.network(name).is_none()) {
        return Ok(Some(format!("the network {name} is missing, and subscriptions run on it")));
    }
    let services: Vec<i32> = brands.iter().map(|brand| brand.svc_id).collect();
    let without_brand: Option<i32> = subscriptions::table
        .filter(sql::<Bool>("subscriptions.state IN ('active', 'suspended')"))
        .filter(subscriptions::svc_id.ne_all(services))
        .select(subscriptions::svc_id)
        .first(conn)
        .optional()?;
    if let Some(svc_id) = without_brand {
        return Ok(Some(format!("the brand with svc_id {svc_id} is missing, and subscriptions run on it")));
    }
    let recorded: Vec<(String, (String, String))> = network_entries::table
        .select((network_entries::network, (network_entries::adapter, network_entries::named_by)))
        .load(conn)?;
    for (name, (adapter, subscribers)) in &recorded {
        let Some(network) = brands.network(name).filter(|_| networks.contains(name)) else { continue };
        let (now, names) = (network.adapter().as_str(), names_of(network.subscribers));
        if now != adapter {
            return Ok(Some(format!("network {name}: its adapter was {adapter}, and subscriptions run on it")));
        }
        if names != subscribers {
            return Ok(Some(format!(
                "network {name}: its subscribers were named by {subscribers}, and some run on it"
            )));
        }
    }
    for (name, network) in brands.networks() {
        let entry = (
            network_entries::adapter.eq(network.adapter().as_str()),
            network_entries::named_by.eq(names_of(network.subscribers)),
        );
        on_each_backend!(conn, conn => diesel::insert_into(network_entries::table)
            .values((network_entries::network.eq(&name), entry))
            .on_conflict(network_entries::network)
            .do_update()
            .set(entry)
            .execute(conn))?;
    }
    Ok(None)
}

/// The word in `brands.toml`.
const fn names_of(subscribers: SubscriberNames) -> &'static str {
    match subscribers {
        SubscriberNames::Number => "number",
        SubscriberNames::Token => "token",
    }
}
