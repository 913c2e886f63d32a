//! Identifiers: what is one, and which shard an auction belongs to.

use gavel::auction::{AuctionId, PartyId, RequestId};

use crate::support::make::request;

#[test]
fn auction_ids_are_exact_in_every_json_reader() {
    for good in ["1", "7731", "0007731", "9007199254740991"] {
        assert!(good.parse::<AuctionId>().is_ok(), "{good}");
    }
    for bad in [
        "",
        "0",
        "-1",
        "+1",
        "1.0",
        "1e3",
        " 1",
        "1 ",
        "0x10",
        "١",
        "9007199254740992",
        "9223372036854775807",
        "9223372036854775808",
        "99999999999999999999999999",
    ] {
        assert!(bad.parse::<AuctionId>().is_err(), "{bad:?}");
    }
    for bad in [i64::MIN, -1, 0, AuctionId::MAX + 1, i64::MAX] {
        assert!(AuctionId::new(bad).is_err(), "{bad}");
    }
}

#[test]
fn people_are_opaque_tokens_and_a_second_spelling_is_refused() {
    let longest = "x".repeat(64);
    for good in [
        "a",
        "alice",
        "Alice",
        "A.b_c:d@e-f",
        "0",
        "-",
        "user@example.org",
        &longest,
    ] {
        assert_eq!(PartyId::new(good).unwrap().as_str(), good);
    }
    assert_ne!(
        PartyId::new("alice").unwrap(),
        PartyId::new("Alice").unwrap()
    );
    let too_long = "x".repeat(65);
    for bad in [
        "",
        " alice",
        "alice ",
        "al ice",
        "alice\n",
        "ali\u{200b}ce",
        "jos\u{e9}",
        "jose\u{301}",
        "\u{feff}alice",
        "алиса",
        "a/b",
        "a,b",
        "a\"b",
        "a'b",
        "a\0",
        "a+b",
        &too_long,
    ] {
        assert!(PartyId::new(bad).is_err(), "{bad:?}");
    }
}

#[test]
fn request_ids_are_uuids() {
    let good: RequestId = "018f3c5e-7b1a-7c2d-9e4f-0123456789ab".parse().unwrap();
    assert_eq!(good.to_string(), "018f3c5e-7b1a-7c2d-9e4f-0123456789ab");
    assert_eq!(RequestId::from_bytes(good.bytes()), good);
    for bad in [
        "",
        "7731",
        "018f3c5e-7b1a-7c2d-9e4f-0123456789a",
        "zz8f3c5e-7b1a-7c2d-9e4f-0123456789ab",
    ] {
        assert!(bad.parse::<RequestId>().is_err(), "{bad:?}");
    }
}

#[test]
fn shards_have_these_values() {
    // ((id % 1000003) * 40503 % 65536) / 2048, worked out apart from the code.
    let rows = [
        (1, 19),
        (2, 7),
        (32, 24),
        (7_731, 30),
        (7_732, 18),
        (1_000_002, 31),
        (1_000_003, 0),
        (1_000_004, 19),
        (1_000_000_000_000_000, 7),
        (9_007_199_254_740_991, 14),
    ];
    for (id, shard) in rows {
        assert_eq!(AuctionId::new(id).unwrap().shard(), shard, "{id}");
    }
}

#[test]
fn shards_are_even_over_sequential_and_snowflake_ids() {
    let spread = |ids: &mut dyn Iterator<Item = i64>| {
        let mut counts = [0_u32; 32];
        for id in ids {
            let shard = AuctionId::new(id).unwrap().shard();
            counts[usize::try_from(shard).unwrap()] += 1;
        }
        (
            counts.iter().min().copied().unwrap(),
            counts.iter().max().copied().unwrap(),
        )
    };
    // 32,000 ids: 1,000 a shard when even.
    let (low, high) = spread(&mut (1..=32_000));
    assert!(low > 900 && high < 1_100, "sequential: {low} to {high}");
    // One id a millisecond, the low 12 bits zero, as a time-ordered generator makes them.
    let (low, high) = spread(&mut (0..32_000).map(|n| (400_000_000_000 + n) << 12));
    assert!(low > 750 && high < 1_250, "snowflake: {low} to {high}");
    let (low, high) = spread(&mut (0..32_000).map(|n| AuctionId::BURST_MIN + n));
    assert!(low > 900 && high < 1_100, "burst: {low} to {high}");
}

#[test]
fn an_id_made_from_a_request_is_stable_and_below_the_burst_ids() {
    for n in 0..1_000 {
        let made = AuctionId::from_request(request(n));
        assert_eq!(made, AuctionId::from_request(request(n)));
        assert!((1..AuctionId::BURST_MIN).contains(&made.get()));
    }
    assert_ne!(
        AuctionId::from_request(request(1)),
        AuctionId::from_request(request(2))
    );
}
